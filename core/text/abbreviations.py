"""Words that end in a full stop without ending their sentence."""

_ALWAYS = """
e.g i.e cf vs viz al approx ca resp incl excl dr mr mrs ms mx prof st sr jr hon rev gen col lt sgt capt
gov sen rep pres fig figs eq eqs sec secs ch chs ref refs tab vol vols pp p nos op ed eds trans dept univ
est min max avg jan feb mar apr jun jul aug sept sep oct nov dec mt ft messrs mme mlle art ex def thm lem
z.b d.h bzw usw
"""
ALWAYS = frozenset(_ALWAYS.split())
"""Never the end: a name, a number or an explanation follows."""

_SOMETIMES = """
etc inc ltd co corp llc u.s u.k u.n e.u u.s.a a.m p.m ph.d m.sc b.sc m.d b.a m.a d.c no nr sq in et.al
bros a.d b.c u.s.s.r
"""
SOMETIMES = frozenset(_SOMETIMES.split())
"""Ends a sentence only where the next word looks like the start of one."""

_STARTERS = """
the this that these those it its he she they we you i a an there here then thus so but and or if when
while although however therefore moreover furthermore in on at by for from with as after before since
because what why how who where which our their his her your my no not yes all some many most each every
both one two to do does is are was were can could should would may let note see
"""
STARTERS = frozenset(_STARTERS.split())
"""Words that open a sentence far more often than they follow an abbreviation in capitals."""
