# What is measured, and how to repeat it. Results stand in docs/.
PY := $(BIN)/python

.PHONY: eval-readers
eval-readers: $(VENV)/dev-ready ## the readers against real books and hostile files (docs/books.md)
	@$(PY) -m benchmarks.reader_gold && $(PY) -m benchmarks.filter_gold && $(PY) -m benchmarks.parser_zoo

.PHONY: soak-slack pictures-slack
soak-slack: $(VENV)/dev-ready ## 2,000 Slack events with duplicates and kills; each question answered once (docs/slack.md)
	@$(PY) -m tests.soak.slack_soak
pictures-slack: $(VENV)/dev-ready ## draw the pictures of docs/slack.md again
	@$(PY) -m tests.fakes.slack.pictures

.PHONY: eval-verifier
eval-verifier: $(VENV)/dev-ready ## how well wrong sentences of a model are caught (docs/models.md)
	@$(PY) -m evals.verifier.measure

.PHONY: bench-ingest bench-query bench-scale
bench-ingest: $(VENV)/dev-ready ## how fast books go in, against LangChain and LlamaIndex (docs/ingestion.md)
	@$(PYTHON) -m venv .venv-bench && .venv-bench/bin/python -m pip install --quiet --disable-pip-version-check \
	  -r benchmarks/peers.txt || { echo "The other pipelines cannot be installed here; measuring alone."; rm -rf .venv-bench; }
	@$(PY) -m benchmarks.ingest $(ARGS)
# numpy computes on one thread, as the engine does: its others would spin on the core that the engine's process is woken on.
bench-query: export OPENBLAS_NUM_THREADS := 1
bench-query: $(VENV)/dev-ready ## how long searches take by the size of the library, against numpy (docs/ingestion.md)
	@$(PY) -m benchmarks.query $(ARGS)
bench-scale: $(VENV)/dev-ready ## a large folder, killed again and again: make bench-scale CORPUS=folder (docs/ingestion.md)
	@$(PY) -m benchmarks.scale $(CORPUS) $(ARGS)

.PHONY: soak-discord bench-discord pictures-discord
soak-discord: $(VENV)/dev-ready ## 2,500 Discord events with duplicates and kills; each question answered once (docs/discord.md)
	@$(PY) -m tests.soak.discord_soak
bench-discord: $(VENV)/dev-ready ## 50 busy Discord channels, and the bot's own cost beside a bare echo bot (docs/discord.md)
	@$(PY) -m benchmarks.discord_bench
pictures-discord: $(VENV)/dev-ready ## draw the pictures of docs/discord.md again
	@$(PY) -m tests.fakes.discord.pictures

PACKS ?= ../shared/evals
EVAL_PACKS ?= squad2-book chroma-chunking physical-ai-robolearn rust-book mtrag-conv ros2-textbook physical-ai-textbook
EVAL_HERE = $(foreach pack,$(EVAL_PACKS),$(if $(wildcard $(PACKS)/$(pack)),$(pack)))
EVAL_RESULTS = $(foreach pack,$(EVAL_HERE),$(PACKS)/$(pack)=footnote-data/evaluation/$(pack).jsonl)
.PHONY: eval eval-peers eval-frontier eval-trial fit-confidence
eval: $(VENV)/run-ready ## questions with known answers through the product (docs/quality.md): make eval EVAL_PACKS="rust-book" PACKS=folder
	@for pack in $(EVAL_PACKS); do test -d $(PACKS)/$$pack || { echo "$(PACKS)/$$pack is not here; skipped."; continue; }; \
	  $(BIN)/footnote eval $(PACKS)/$$pack --out footnote-data/evaluation/$$pack.jsonl $(ARGS); done
eval-peers: eval ## the same questions through LangChain, LlamaIndex, words alone and meaning alone (docs/quality.md)
	@test -d .venv-bench || { $(PYTHON) -m venv .venv-bench && .venv-bench/bin/python -m pip install --quiet \
	  --disable-pip-version-check -r benchmarks/peers.txt; } || { echo "The others cannot be installed here."; rm -rf .venv-bench; }
	@$(PY) -m evals.peers.compare $(EVAL_RESULTS)
eval-frontier: ## what is answered and refused at each threshold, from results of `make eval` (docs/quality.md)
	@$(PY) -m evals.frontier $(EVAL_RESULTS)
eval-trial: ## the same with another value of a constant: make eval-trial SET=core.retrieval.ordering.READING=1.8
	@$(PY) -m evals.trial $(SET) $(EVAL_RESULTS)
fit-confidence: ## fit the confidence anew from results of `make eval`
	@$(PY) -m evals.fit_confidence $(EVAL_RESULTS) --write

.PHONY: bench-question
bench-question: $(VENV)/run-ready ## one question beside its bare model calls, at 10,000 chunks (docs/quality.md)
	@$(PY) -m benchmarks.question_time $(ARGS)

.PHONY: fuzz load
fuzz: $(VENV)/dev-ready ## 100,000 hostile inputs for every parser, renderer and event converter, 5,100 edits of a book (docs/reliability.md)
	@FUZZ_EXAMPLES=$${FUZZ_EXAMPLES:-1700} timeout 3600 $(PY) -m pytest tests/hostile tests/core/ingestion/test_edits.py -n auto -q -p no:cacheprovider
load: $(VENV)/dev-ready ## 200 busy threads on each platform, 10,000 questions, a book coming in (docs/reliability.md)
	@$(PY) -m benchmarks.load $(ARGS)
