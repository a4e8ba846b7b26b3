"""Streamlit: state, shell, controls, progress."""
