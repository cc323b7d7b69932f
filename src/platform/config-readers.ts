import { z } from 'zod'

interface Description {
  about: string
  /** Completes "NAME must be …" in the error about a bad value. Absent where any value is good. */
  must?: string
  /** What applies when the variable is unset, where there is no `fallback`. */
  unset?: string
  isSecret?: boolean
}

export interface Variable<T> extends Description {
  /** The value of an unset variable, as the environment would spell it. */
  fallback: string | null
  read: z.ZodType<T, string>
}

export function optional<T>(
  read: z.ZodType<T, string>,
  description: Description,
): Variable<T | null> {
  return { ...description, fallback: null, read }
}
export function defaulted<T>(
  fallback: string,
  read: z.ZodType<T, string>,
  description: Description,
): Variable<T> {
  return { ...description, fallback, read }
}

export function whole(min: number, max: number) {
  return z.string().regex(/^\d+$/).transform(Number).pipe(z.number().min(min).max(max))
}
export const origin = z
  .string()
  .refine(isOrigin)
  .transform((text) => new URL(text).origin)
export const contentUrl = z.string().refine(isContentUrl).transform(withoutSlash)
export const issuer = z.string().refine(isIssuer)
export const text = z.string()
export const host = z.string().regex(/^[^\s/]+$/)
export const hosts = z
  .string()
  .transform((list) => list.split(/[\s,]+/).filter((entry) => entry !== ''))
  .pipe(z.array(z.string().regex(/^[^\s/?#@]+:\d{1,5}$/)))
export const domains = z
  .string()
  .transform((list) =>
    list
      .toLowerCase()
      .split(/[\s,]+/)
      .filter((entry) => entry !== ''),
  )
  .pipe(z.array(z.string().regex(/^[^\s@/:*.]+(\.[^\s@/:*.]+)+$/)))

export function oneOf(words: readonly string[]): string {
  return words
    .slice(0, -1)
    .join(', ')
    .concat(` or ${words.at(-1)}`)
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}

/** Microsoft's issuers of all tenants would let everybody in who makes a tenant. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.username || url.password || /[?#\s]/.test(text)) return false
  if (/^\/(common|organizations|consumers)(\/|$)/.test(url.pathname)) return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** Whether a host name always means this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(.+\.)?localhost$|^127(\.\d+){3}$|^\[::1\]$/.test(hostname)
}

function isContentUrl(text: string): boolean {
  if (text === 'off') return true
  return /^https?:\/\/\{page\}\./.test(text) && isOrigin(text.replace('{page}', 'page'))
}

export function isUrl(...protocols: string[]): (text: string) => boolean {
  return (text) => {
    const url = URL.parse(text)
    return url !== null && protocols.includes(url.protocol) && url.hostname !== ''
  }
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, '')
}
