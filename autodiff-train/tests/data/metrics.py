"""Writes metrics.json: metrics of scikit-learn. pip install numpy scikit-learn; python metrics.py"""

import json
import numpy as np
from sklearn import metrics as m

rng = np.random.default_rng(5)
labels = rng.choice([0, 1, 2, 4], size=40)  # class 3 has no row
scores = np.round(rng.normal(size=(40, 5)), 3)
scores[np.arange(40), labels] += 0.8
scores[:, 3] -= 1.0
scores = np.round(scores, 3)
predicted = scores.argmax(1)
exp = np.exp(scores - scores.max(1, keepdims=True))
probabilities = exp / exp.sum(1, keepdims=True)

true = np.round(rng.normal(100.0, 3.0, size=30), 3)
guess = np.round(true + rng.normal(0.0, 2.0, size=30), 3)

average = lambda f, how: f(labels, predicted, average=how, zero_division=0)
values = {
    "labels": labels.tolist(),
    "scores": scores.ravel().tolist(),
    "accuracy": m.accuracy_score(labels, predicted),
    "top_2": m.top_k_accuracy_score(labels, scores, k=2, labels=range(5)),
    "top_3": m.top_k_accuracy_score(labels, scores, k=3, labels=range(5)),
    "perplexity": float(np.exp(m.log_loss(labels, probabilities, labels=range(5)))),
    "precision_macro": average(m.precision_score, "macro"),
    "precision_micro": average(m.precision_score, "micro"),
    "recall_macro": average(m.recall_score, "macro"),
    "recall_micro": average(m.recall_score, "micro"),
    "f1_macro": average(m.f1_score, "macro"),
    "f1_micro": average(m.f1_score, "micro"),
    "confusion": m.confusion_matrix(labels, predicted, labels=range(5)).ravel().tolist(),
    "true": true.tolist(),
    "guess": guess.tolist(),
    "mean_absolute_error": m.mean_absolute_error(true, guess),
    "mean_squared_error": m.mean_squared_error(true, guess),
    "r_squared": m.r2_score(true, guess),
}
with open("metrics.json", "w") as file:
    json.dump(values, file)
