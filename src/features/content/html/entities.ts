// The 96 names of U+00A0 to U+00FF in order. These, and the four below them, are the ones that
// HTML also accepts without a semicolon.
const LATIN_1 = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr
deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest
Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc
Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN
szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute
icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute
thorn yuml`

const LEGACY_ASCII = 'amp:& AMP:& lt:< LT:< gt:> GT:> quot:" QUOT:" COPY:© REG:®'

// The rest of HTML 4, and the punctuation and marks of HTML 5 that people and escapers write.
// The full list of 2,231 names is mostly mathematics; a name that is not here stays as written.
const WITH_SEMICOLON = `apos:' excl:! num:# dollar:$ percnt:% lpar:( rpar:) ast:* plus:+ comma:,
period:. sol:/ colon:: semi:; equals:= quest:? commat:@ lsqb:[ lbrack:[ bsol:\\ rsqb:] rbrack:]
Hat:^ lowbar:_ grave:\` lcub:{ lbrace:{ verbar:| vert:| rcub:} rbrace:} OElig:Œ oelig:œ Scaron:Š
scaron:š Yuml:Ÿ fnof:ƒ circ:ˆ tilde:˜ Alpha:Α Beta:Β Gamma:Γ Delta:Δ Epsilon:Ε Zeta:Ζ Eta:Η Theta:Θ
Iota:Ι Kappa:Κ Lambda:Λ Mu:Μ Nu:Ν Xi:Ξ Omicron:Ο Pi:Π Rho:Ρ Sigma:Σ Tau:Τ Upsilon:Υ Phi:Φ Chi:Χ
Psi:Ψ Omega:Ω alpha:α beta:β gamma:γ delta:δ epsilon:ε zeta:ζ eta:η theta:θ iota:ι kappa:κ lambda:λ
mu:μ nu:ν xi:ξ omicron:ο pi:π rho:ρ sigmaf:ς sigma:σ tau:τ upsilon:υ phi:φ chi:χ psi:ψ omega:ω
thetasym:ϑ upsih:ϒ piv:ϖ ensp:\u2002 emsp:\u2003 thinsp:\u2009 zwnj:\u200c zwj:\u200d lrm:\u200e
rlm:\u200f hyphen:‐ dash:‐ ndash:– mdash:— horbar:― lsquo:‘ rsquo:’ sbquo:‚ ldquo:“ rdquo:” bdquo:„
dagger:† Dagger:‡ bull:• nldr:‥ hellip:… mldr:… permil:‰ prime:′ Prime:″ lsaquo:‹ rsaquo:› oline:‾
frasl:⁄ euro:€ image:ℑ weierp:℘ real:ℜ trade:™ alefsym:ℵ larr:← uarr:↑ rarr:→ darr:↓ harr:↔ crarr:↵
lArr:⇐ uArr:⇑ rArr:⇒ dArr:⇓ hArr:⇔ forall:∀ part:∂ exist:∃ empty:∅ nabla:∇ isin:∈ notin:∉ ni:∋
prod:∏ sum:∑ minus:− lowast:∗ radic:√ prop:∝ infin:∞ ang:∠ and:∧ or:∨ cap:∩ cup:∪ int:∫ there4:∴
sim:∼ cong:≅ asymp:≈ ne:≠ equiv:≡ le:≤ ge:≥ sub:⊂ sup:⊃ nsub:⊄ sube:⊆ supe:⊇ oplus:⊕ otimes:⊗
perp:⊥ sdot:⋅ lceil:⌈ rceil:⌉ lfloor:⌊ rfloor:⌋ lang:⟨ rang:⟩ loz:◊ spades:♠ clubs:♣ hearts:♥
diams:♦ check:✓ cross:✗ star:☆ starf:★ phone:☎ female:♀ male:♂ numero:№ sung:♪ fflig:ﬀ filig:ﬁ
fllig:ﬂ Amacr:Ā amacr:ā Abreve:Ă abreve:ă Aogon:Ą aogon:ą Cacute:Ć cacute:ć Ccaron:Č ccaron:č
Dcaron:Ď dcaron:ď Dstrok:Đ dstrok:đ Emacr:Ē emacr:ē Eogon:Ę eogon:ę Ecaron:Ě ecaron:ě Gbreve:Ğ
gbreve:ğ Idot:İ imath:ı inodot:ı Imacr:Ī imacr:ī Lstrok:Ł lstrok:ł Nacute:Ń nacute:ń Ncaron:Ň
ncaron:ň Omacr:Ō omacr:ō Odblac:Ő odblac:ő Rcaron:Ř rcaron:ř Sacute:Ś sacute:ś Scedil:Ş scedil:ş
Tcaron:Ť tcaron:ť Umacr:Ū umacr:ū Uring:Ů uring:ů Udblac:Ű udblac:ű Zacute:Ź zacute:ź Zdot:Ż zdot:ż
Zcaron:Ž zcaron:ž`

const BARE = new Map([
  ...LATIN_1.split(/\s/).map((name, i): [string, string] => [name, String.fromCharCode(0xa0 + i)]),
  ...pairsOf(LEGACY_ASCII),
])
const NAMED = new Map([...BARE, ...pairsOf(WITH_SEMICOLON), ['Tab', '\t'], ['NewLine', '\n']])

// What browsers make of &#128; to &#159;.
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

const REFERENCE =
  /&(?:#x0*([0-9a-f]{1,8})[0-9a-f]*;?|#0*([0-9]{1,8})[0-9]*;?|([a-z][a-z0-9]{1,31});?)/gi

/** The text that a browser reads. In attributes `&copy=1` is a parameter and not a sign. */
export function decodeEntities(text: string, place: 'text' | 'attribute'): string {
  if (!text.includes('&')) return text
  return text.replace(REFERENCE, (all, hex?: string, decimal?: string, name?: string, at = 0) => {
    if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
    if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10))
    if (name === undefined) return all
    if (all.endsWith(';') && NAMED.has(name)) return NAMED.get(name)!
    const [sign, length] = longestBare(name)
    const next = text[at + 1 + length] ?? ''
    if (sign === '' || (place === 'attribute' && /[a-zA-Z0-9=]/.test(next))) return all
    return sign + all.slice(1 + length)
  })
}

/** HTML reads `&notit;` as `¬it;`: of the names that need no semicolon the longest wins. */
function longestBare(name: string): [sign: string, length: number] {
  for (let length = Math.min(name.length, 6); length >= 2; length--) {
    const sign = BARE.get(name.slice(0, length))
    if (sign !== undefined) return [sign, length]
  }
  return ['', 0]
}

function characterOf(code: number): string {
  if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252[code - 0x80]!
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return '\ufffd'
  return String.fromCodePoint(code)
}

/** Text with its white space collapsed, cut to so many characters; null when nothing is left. */
export function oneLine(text: string, maxChars: number): string | null {
  return text.replace(/\s+/g, ' ').trim().slice(0, maxChars).toWellFormed() || null
}

/** Text as the value of an attribute, whichever quote or none surrounds it. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"'`=\s]/g, (char) => ESCAPES[char] ?? `&#${char.charCodeAt(0)};`)
}

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '=': '=',
  ' ': ' ',
}

function pairsOf(list: string): [string, string][] {
  return list.split(/[ \n]+/).map((pair) => {
    const colon = pair.indexOf(':')
    return [pair.slice(0, colon), pair.slice(colon + 1)]
  })
}
