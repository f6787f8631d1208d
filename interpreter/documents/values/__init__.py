"""Single values of documents: names to handles, typed values, axes and cells of charts."""
