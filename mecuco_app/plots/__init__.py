"""Figures: arrays in, `go.Figure` out. Never imports Streamlit or scikit-learn."""
