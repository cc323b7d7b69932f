import type { StringPlace } from './script-strings.ts'

/**
 * What a script does with a string. `loaded`: it is a value, or what is loaded. `opened`: a window
 * goes there, or it is loaded without doubt. `compared` and `key`: it is a name. `part`: it becomes
 * a part of another string.
 */
export type StringUse = 'loaded' | 'opened' | 'compared' | 'key' | 'part' | 'other'

/** How much is read before and after a string. */
const CONTEXT_CHARS = 40

const PART = /\+=?$|\.concat\($/
const COMPARED = new RegExp(
  String.raw`[=!]==?$|\bcase$|` +
    String.raw`\.(?:endsWith|includes|indexOf|join|match|replaceAll|split|startsWith|test)\($|` +
    String.raw`(?<!\blocation)\.replace\($`,
)
const COMPARED_AFTER = /^(?:[=!]==?|in\b)/
/** `object['/a.png']`, but not `return ['/a.png']`. */
const MEMBER = /(?:[\w$)\]]|\?\.)\[$/
const ARRAY_AFTER_WORD = /\b(?:await|case|default|of|return|yield)\[$/
const LOADED = new RegExp(
  String.raw`(?:[=:?,[]|=>|\b(?:return|fetch\(|URL\(|Request\(|Audio\(|(?:Shared)?Worker\(|` +
    String.raw`importScripts\(|import\())$`,
)
const OPENED = new RegExp(
  String.raw`(?:\blocation\s?=|\.(?:href|src)\s?=|\blocation\.(?:assign|replace)\(|` +
    String.raw`\b(?:fetch|open)\()$`,
)

export function stringUse(source: string, place: StringPlace): StringUse {
  const before = textBefore(source, place)
  const after = textAfter(source, place)
  if (PART.test(before)) return 'part'
  if (COMPARED.test(before) || COMPARED_AFTER.test(after)) return 'compared'
  if (/[{,]$/.test(before) && after.startsWith(':')) return 'key'
  if (OPENED.test(before)) return 'opened'
  const joined = before.replaceAll(/\s/g, '')
  if (MEMBER.test(joined) && !ARRAY_AFTER_WORD.test(joined)) return 'key'
  return LOADED.test(before) ? 'loaded' : 'other'
}

const OF_MODULE = /^,\s{0,9}(?:["'`]{2}\s?\+\s?)?import\.meta\.url\b/
const OF_DOCUMENT = /^,\s{0,9}(?:(?:window\.)?location(?:\.href)?|document\.(?:baseURI|URL))\s?\)/

/** What an address is relative to; null where that is not known. */
export function baseOf(source: string, place: StringPlace): 'document' | 'script' | null {
  if (!/\bURL\($/.test(textBefore(source, place))) return 'document'
  const after = textAfter(source, place)
  if (OF_MODULE.test(after)) return 'script'
  return OF_DOCUMENT.test(after) ? 'document' : null
}

function textBefore(source: string, { start }: StringPlace): string {
  return source.slice(Math.max(0, start - 1 - CONTEXT_CHARS), start - 1).trimEnd()
}

function textAfter(source: string, { end }: StringPlace): string {
  return source.slice(end + 1, end + 1 + CONTEXT_CHARS).trimStart()
}

const NAME = String.raw`[\w$]{1,40}`
const PREFIX = new RegExp(
  String.raw`["'\x60]modulepreload["'\x60]\s?[,;]\s?(?:(?:const|let|var)\s)?${NAME}\s?=\s?` +
    String.raw`(?:function\s?\(${NAME}\)\s?\{\s?return\s?|\(?${NAME}\)?\s?=>\s?)` +
    String.raw`(["'\x60])\/\1\s?\+`,
)

/**
 * Finds the slash that a Vite build for the root of a host puts before the names of the chunks that
 * it loads.
 * @returns its place; null where there is none
 */
export function findVitePrefix(source: string): number | null {
  const match = PREFIX.exec(source)
  return match && match.index + match[0].lastIndexOf('/')
}
