"""Key points of a pose estimator: from a video or a landmark file to a moving figure."""
