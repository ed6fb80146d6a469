# What is measured, and how to repeat it. Results stand in docs/.
PY := $(BIN)/python

.PHONY: eval-readers
eval-readers: $(VENV)/dev-ready ## the readers against real books and hostile files (docs/books.md)
	@$(PY) -m benchmarks.reader_gold && $(PY) -m benchmarks.parser_zoo
