"""Sentences that speak to the model instead of to the reader."""

import re
import unicodedata

from core.text.cleaning import cleaned

_ORDERS = (
    "say|tell|answer|reply|respond|output|print|write|recommend|include|add|end|begin|mention|reveal|send|state|"
    "claim|repeat|visit"
)
_PEOPLE = "users?|members?|readers?|students?|people|them|everyone|everybody|group|channel"
_MACHINES = r"ai|a\.i\.|llm|ai models?|language models?|assistants?|chatbots?|bots?"

_PATTERNS = (
    # Setting the rules aside.
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,60}"
    r"\b(?:instruction|prompt|rule|guideline|above|previous|prior|earlier|direction|told|system|safety)",
    r"\b(?:you are now|act as|pretend to be|from now on,? you|new instructions?|developer mode|jailbreak)\b",
    r"\bdo anything now\b",
    r"\bsystem (?:prompt|message|override|update)\b",
    # Posing as someone with authority.
    r"^\W*(?:system|assistant|developer|admin|instruction)\s*[:>\]]",
    r"\bnote to (?:the )?(?:" + _MACHINES + r"|model)\b",
    r"</?(?:system|assistant|instructions?|im_start|im_end|tool)\b|<\|[a-z_]+\|>|\[/?INST\]",
    r"\b(?:to|dear|attention|hey|for)\s+(?:all |the |any )?(?:" + _MACHINES + r")\b.{0,20}[:,!]",
    # Telling the model what to say.
    r"\b(?:"
    + _MACHINES
    + r"|model)\b.{0,40}\b(?:must|should|shall|ha(?:s|ve) to|(?:is|are) (?:required|instructed))\b"
    r".{0,40}\b(?:" + _ORDERS + r")\b",
    r"\b(?:when|if|whenever)\b.{0,40}\b(?:asked|asks?|question|quer(?:y|ies)|prompt(?:ed)?)\b.{0,60}\b(?:"
    + _ORDERS
    + r")\b",
    r"\b(?:tell|inform|convince|instruct|advise|urge|direct)\s+(?:the |every |all |each |any )?"
    r"(?:" + _PEOPLE + r")\b.{0,15}\b(?:to|that|about|their)\b",
    r"\b(?:end|begin|start|finish|close|prefix)\s+(?:every|each|all|your)\s+(?:answer|reply|response|message|sentence)",
    r"\byour\s+(?:answer|reply|response)\s+(?:must|should|shall)\b",
    # Asking for what is not the reader's.
    r"\b(?:reveal|print|repeat|output|show|leak|disclose|translate|summari[sz]e)\b.{0,40}"
    r"\b(?:system prompt|your (?:instructions|rules|prompt)|hidden (?:prompt|instructions)|(?:text|words) above)",
    # The same in other languages.
    r"\b(?:ignoriere?|vergiss|missachte)\b.{0,60}\b(?:anweisung|regel|vorherig|obig)",
    r"\bdu bist (?:jetzt|nun|ab sofort)\b",
    r"\b(?:ignore[zs]?|oublie[zs]?)\b.{0,60}\b(?:instructions?|règles?|consignes?|précédent)",
    r"\b(?:ignora|olvida|ignore)\b.{0,60}\b(?:instrucciones|reglas|anteriores|istruzioni|regole|instruções|regras)",
    r"игнорир\w*.{0,60}(?:инструкци|правил|указани)|забудь.{0,60}(?:инструкци|правил)",
    r"忽略.{0,20}(?:指令|指示|说明|规则)|無視.{0,10}(?:指示|命令)|(?:指示|命令).{0,10}無視",
    r"تجاهل.{0,40}(?:التعليمات|الأوامر)|निर्देश.{0,30}(?:अनदेखा|नज़रअंदाज़)|(?:지시|명령).{0,10}무시",
)
_DIRECTIVE = re.compile("|".join(_PATTERNS), re.IGNORECASE)


_LOOKALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u051b\u0261\u04bb\u03bf\u03b1\u03b9\u03c1\u03bd",
    "aeopcyxijsdqghoaipv",
)
"""Letters of other alphabets that look like ours; a word that mixes them is meant to be read by people only."""


def is_directive(sentence: str) -> bool:
    """Whether a sentence tries to tell the model what to do; books seldom speak so, attackers do."""
    plain = unicodedata.normalize("NFKC", cleaned(sentence))
    return _DIRECTIVE.search(plain) is not None or _DIRECTIVE.search(plain.translate(_LOOKALIKES)) is not None
