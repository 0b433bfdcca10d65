"""File formats, one file each: how they are recognised, read and written, and what is refused.

Tables, whose columns `bayesrank.data.layouts` looks at; text may be gzipped:

- CSV and TSV (.csv, .tsv, .tab, and names that no other format has);
- JSON, an array of objects or one object per line (.json, .jsonl, .ndjson);
- Excel (.xlsx, .xlsm) and Parquet (.parquet, .pq).

Formats of their own, which have no columns to name:

- PrefLib's orders (.soc, .soi, .toc, .toi), weighted by their voters, and pairs (.wmd);
- LETOR's and SVMlight's files with queries, recognised by their first line. Where lists and NULL
  occur, there is a ranking by each list (agent) of each query (instance), the smallest place first;
  otherwise a ranking of each query by relevance, with features. Queries are told apart by qid, or
  by LightGBM's file ".query";
- TREC's runs, recognised by their first line: a ranking of each topic (instance) by run (agent);
- TREC's judgements (qrels), recognised by their first line: a ranking of each topic by grade.

`bayesrank.data.read_letor` and `read_runs` read several files as one, and keep the relevance.

A name without any of these endings, such as that of a pipe, may be that of any format: JSON, Excel,
Parquet and PrefLib are then known by how the file starts.

A new format is a file here that makes a `FileFormat`, and its name in the list of `registry`.
"""
