import { refuse } from './errors.ts'

/** Words that make any name one that speaks for a page or this service. */
const RESERVED = words(`
  owner admin administrator moderator webmaster handbill support helpdesk noreply`)
/** Words that do so where nothing else is in the name. */
const TITLES = words('author operator security system staff official service team')
/** Words that leave it what it is: `The owner of this page`. */
const FILLERS = words(`
  the a an of this that your our my its from by at and page site account server desk real
  mr mrs ms`)

/** Each Latin letter, and those of other scripts that look like it, small or capital. */
const LETTERS = words(`
  aаАαΑᴀ bвВьβΒʙ cсСςϲΣᴄ dԁᴅ eеЕεΕєᴇ fꜰ gɡԍɢ hһнНΗʜհ iіІιΙıɩɪӏ jјЈᴊ kкКκΚᴋ lʟ mмМΜᴍ nпηΝɴո
  oоОοΟσօᴏ pрРρΡᴘ qԛգ rгʀ sѕЅꜱ tтТτΤᴛ uυиսᴜ vνѵᴠ wѡωԝԜᴡ xхХχΧ yуУүΥʏ zζΖᴢ`)
/** The same of digits and signs. */
const SIGNS = words('a4@ b8 e3€ g9 i1|! o0 s5$ t7')
const SIGN = /[\d@€|!$]/g

/** Letters in black circles or squares, and those of flags: where each alphabet begins. */
const ENCLOSED = [0x1f150, 0x1f170, 0x1f1e6]

/**
 * Refuses a name that others would trust though nobody has verified it: one of the owner, of the
 * service, or an address. People with a confirmed address may be called as the owner is.
 *
 * @throws Refusal `name_reserved`
 */
export function assertOwnName(
  name: string,
  { isConfirmed, ownerName }: { isConfirmed: boolean; ownerName: string | null },
): void {
  const isOwners = !isConfirmed && ownerName !== null && looksLike(name, ownerName)
  if (!isOwners && !isReservedName(name) && !looksLikeAddress(name)) return
  const message =
    `Others could take “${name}” for the owner of the page, for this service or for a confirmed ` +
    'address: give another name, or none.'
  throw refuse.invalid('name_reserved', message, { param: 'name' })
}

/**
 * Whether others could take a name for that of a page's owner or of this service, however it is
 * written: `The 0wner`, `ａｄｍｉｎ`, `H a n d b i l l`.
 */
export function isReservedName(name: string): boolean {
  return readingsOf(name).some((words) => {
    if (words.some((word) => isOneOf(RESERVED, word))) return true
    return MADE_OF_THEM.test(words.join(''))
  })
}

/** Whether two names look the same to people, or nearly. */
export function looksLike(name: string, other: string): boolean {
  const others = new Set(readingsOf(other).map((words) => words.join('')))
  return readingsOf(name).some((words) => words.length > 0 && others.has(words.join('')))
}

/** Whether a name could be taken for an email address that somebody has confirmed. */
export function looksLikeAddress(name: string): boolean {
  return /[^\s@]@[^\s@]+[.\u3002][^\s@]/u.test(visible(name))
}

/**
 * The words of a name in a form that is the same for all that look alike. Digits and signs are read
 * as letters, and then as spaces: `0wner`, `owner 1`.
 */
function readingsOf(name: string): string[][] {
  const latin = replaceAll(lettersOf(visible(name)), LETTERS).toLowerCase()
  return [replaceAll(latin, SIGNS), latin.replace(SIGN, ' ')].map((text) =>
    merged(text)
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean),
  )
}

function visible(name: string): string {
  return name.normalize('NFKD').replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
}

function lettersOf(text: string): string {
  return text.replace(/[\u{1f150}-\u{1f1ff}]/gu, (character) => {
    const code = character.codePointAt(0)!
    const start = ENCLOSED.findLast((first) => first <= code)!
    return code - start < 26 ? String.fromCharCode(0x61 + code - start) : character
  })
}

/** @param alphabet a letter, and what looks like it, in each text */
function replaceAll(text: string, alphabet: readonly string[]): string {
  const letters = new Map(
    alphabet.flatMap(([letter, ...others]) => others.map((other) => [other, letter] as const)),
  )
  return text.replace(/./gsu, (character) => letters.get(character) ?? character)
}

/** Of letters that look alike, one stands for all; `rn` looks like `m`, and `vv` like `w`. */
function merged(text: string): string {
  return text.replaceAll('rn', 'm').replaceAll('vv', 'w').replaceAll('l', 'i')
}

function isOneOf(names: readonly string[], word: string): boolean {
  return names.map(merged).some((name) => word === name || word === `${name}s`)
}

const oneOf = (words: readonly string[]) => words.map(merged).join('|')
const SPEAKERS = `(?:${oneOf([...RESERVED, ...TITLES])})s?`
const MADE_OF_THEM = new RegExp(
  `^(?:${oneOf(FILLERS)})*${SPEAKERS}(?:${SPEAKERS}|${oneOf(FILLERS)})*$`,
)

export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
