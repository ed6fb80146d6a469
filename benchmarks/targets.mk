# What is measured, and how to repeat it. Results stand in docs/.
PY := $(BIN)/python

.PHONY: eval-readers
eval-readers: $(VENV)/dev-ready ## the readers against real books and hostile files (docs/books.md)
	@$(PY) -m benchmarks.reader_gold && $(PY) -m benchmarks.parser_zoo

.PHONY: soak-slack pictures-slack
soak-slack: $(VENV)/dev-ready ## 2,000 Slack events with duplicates and kills; each question answered once (docs/slack.md)
	@$(PY) -m tests.soak.slack_soak
pictures-slack: $(VENV)/dev-ready ## draw the pictures of docs/slack.md again
	@$(PY) -m tests.fakes.slack.pictures

.PHONY: eval-verifier
eval-verifier: $(VENV)/dev-ready ## how well wrong sentences of a model are caught (docs/models.md)
	@$(PY) -m evals.verifier.measure
