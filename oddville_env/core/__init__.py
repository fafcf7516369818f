"""What has no game in it: compiled code's decorator and cache, errors, files."""
