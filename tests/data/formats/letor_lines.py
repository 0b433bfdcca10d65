"""Lines as LETOR writes them, of features and of lists."""

FEATURES = [
    "# made up",
    "0 qid:9 1:0.5 2:0 3:-1e-3 #docid = x1 inc = 1 prob = 0.1",
    "2 qid:9 1:0.25 2:1 3:7 #docid = x2 inc = 1 prob = 0.1",
    "",
    "1 qid:10 1:0.5 2:0 3:2 #docid = x1 inc = 1 prob = 0.1\r",
    "1 qid:10 1:0.5 2:3 3:4 #docid = x3 inc = 1 prob = 0.1",
    "0 qid:9 1:0 2:0 3:4 #docid = x3 inc = 1 prob = 0.1",
]
LISTS = [
    "2 qid:7 1:1 2:30 3:2 #docid = a inc = 1",
    "0 qid:7 1:2 2:4 3:NULL #docid = b inc = 1",
    "0 qid:7 1:7 2:NULL 3:NULL #docid = c inc = 1",
    "1 qid:12 1:5 2:NULL 3:1 #docid = a inc = 1",
    "0 qid:12 1:5 2:NULL 3:4 #docid = d inc = 1",
    "0 qid:12 1:NULL 2:NULL 3:NULL #docid = e inc = 1",
]


def write(folder, lines, name="S1.txt"):
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    return path
