"""Experiments with Decrypto.

``experiment_file`` loads them, ``play_experiment`` plays them, ``measures`` and ``results`` score them.
"""
