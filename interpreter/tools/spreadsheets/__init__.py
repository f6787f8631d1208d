"""Charts out to spreadsheets and back into the documents. Must not guess what a spreadsheet has made of a cell."""
