# Penguins of the Palmer archipelago: the twin of penguins.ipynb.
import matplotlib.pyplot as plt
import pandas as pd
import statsmodels.api as sm
import statsmodels.formula.api as smf
from scipy import stats
from statsmodels.stats.multicomp import pairwise_tukeyhsd

# %% 1. How many penguins and columns are there, and how many lack the sex?
penguins = pd.read_csv("data/penguins.csv")
penguins.shape[0], penguins.shape[1], penguins["sex"].isna().sum()

# %% 2. How many penguins of each species live on each island?
penguins.groupby(["species", "island"]).size().reset_index(name="n")

# %% 3. How many females and males of each species are complete?
birds = penguins.dropna().reset_index(drop=True)
pd.crosstab(birds["species"], birds["sex"]).reset_index()

# %% 4. What is the body mass by species and sex?
birds.groupby(["species", "sex"], as_index=False)["body_mass_g"].agg(["mean", "std", "median"])

# %% 5. Which penguins have the longest bills for their depth?
birds["ratio"] = birds["bill_length_mm"] / birds["bill_depth_mm"]
birds.nlargest(5, "ratio")[["species", "sex", "ratio"]]

# %% 6. How do the sizes correlate?
birds[["bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g"]].corr().reset_index()

# %% 7. Draw bill depth over bill length by species
fig, ax = plt.subplots()
for species, group in birds.groupby("species"):
    ax.scatter(group["bill_length_mm"], group["bill_depth_mm"], label=species)
ax.set(xlabel="bill length (mm)", ylabel="bill depth (mm)")
ax.legend()
fig

# %% 8. Does the flipper length differ between the species?
flippers = [group for _, group in birds.groupby("species")["flipper_length_mm"]]
anova = stats.f_oneway(*flippers)
anova.statistic, anova.pvalue

# %% 9. Are the variances of the flipper lengths equal, and the ranks?
levene, kruskal = stats.levene(*flippers), stats.kruskal(*flippers)
levene.statistic, levene.pvalue, kruskal.statistic, kruskal.pvalue

# %% 10. Which species differ, by Tukey's test? [1e-4]
tukey = pairwise_tukeyhsd(birds["flipper_length_mm"], birds["species"])
pd.DataFrame({"a": ["Adelie", "Adelie", "Chinstrap"], "b": ["Chinstrap", "Gentoo", "Gentoo"], "difference": tukey.meandiffs, "low": tukey.confint[:, 0], "high": tukey.confint[:, 1], "p": tukey.pvalues})

# %% 11. Do species and island depend on each other?
chi2 = stats.chi2_contingency(pd.crosstab(penguins["species"], penguins["island"]))
chi2.statistic, chi2.dof, chi2.pvalue

# %% 12. How does the mass grow with the flipper, in each species?
mass = smf.ols("body_mass_g ~ sex + species * flipper_length_mm", birds).fit()
pd.DataFrame({"estimate": mass.params, "se": mass.bse, "p": mass.pvalues}).rename_axis("name").reset_index(), mass.rsquared, mass.aic

# %% 13. Which terms matter, by an analysis of variance of type II?
sm.stats.anova_lm(mass, typ=2).rename_axis("term").reset_index()

# %% 14. What are robust standard errors?
mass.get_robustcov_results("HC3").bse

# %% 15. Draw the residuals over the fitted values
fig, ax = plt.subplots()
ax.scatter(mass.fittedvalues, mass.resid)
ax.axhline(0)
ax.set(xlabel="fitted mass (g)", ylabel="residual (g)")
fig

# %% 16. What are the odds that a penguin is male? [1e-5]
birds["male"] = (birds["sex"] == "male").astype(int)
male = smf.logit("male ~ species + body_mass_g + bill_depth_mm", birds).fit(disp=False)
pd.DataFrame({"estimate": male.params, "se": male.bse, "p": male.pvalues}), male.llf
