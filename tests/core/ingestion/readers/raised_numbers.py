"""Numbers above and below the line, as web pages and Markdown write them, and how they are read."""

RAISED = [
    ("2<sup>n+1</sup>", "2^(n+1)"),
    ("10<sup>-3</sup>", "10^(-3)"),
    ("10<sup>2n</sup> m<sup>2</sup>", "10^2n m^2"),
    ("f<sup>(n)</sup>", "f^(n)"),
    ("x<sub>i+1</sub>", "x_(i+1)"),
    ("x<sub>max</sub> of H<sub>2</sub>O", "x_max of H_2O"),
    ("the 1<sup>st</sup>, 2<sup>nd</sup> and 4<sup>th</sup>", "the 1st, 2nd and 4th"),
    ("a word<sup>*</sup> and a name<sup>TM</sup>", "a word* and a nameTM"),
    ("a word<sup>[1]</sup>", "a word[1]"),
]
