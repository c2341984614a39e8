import pandas as pd

survey = pd.read_csv("survey.csv")
survey["answer"] = pd.Categorical(survey["answer"], ["very unhappy", "unhappy", "neutral", "happy", "very happy"], ordered=True)
answered = survey.dropna(subset="answer").copy()
pd.crosstab(answered["department"], answered["answer"])
# %%
answered["happy"] = answered["answer"] >= "happy"
answered["group"] = pd.cut(answered["age"], [18, 30, 45, 67], right=False, labels=["under 30", "30 to 44", "45 and over"])
answered.groupby("group", observed=True).agg(happy_mean=("happy", "mean"), age_median=("age", "median"), count=("age", "size"))
# %%
survey.groupby("department").agg(answered=("answer", "count"), count=("id", "size"))
