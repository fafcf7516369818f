"""The parts with no game in them: compiled code's decorator and cache, errors, files."""
