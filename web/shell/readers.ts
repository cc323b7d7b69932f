/** Readers of what another window sent. They copy what is expected, and refuse the rest. */

/** Returns a copy with the known fields alone, or throws. */
export type Reader<T> = (value: unknown) => T
export type Fields<T> = { [Name in keyof Required<T>]: Reader<T[Name]> }

export function attempt<T>(read: Reader<T>, value: unknown): T | null {
  try {
    return read(value)
  } catch {
    return null
  }
}

export function object<T extends object>(fields: Fields<T>): Reader<T> {
  return (value) => {
    const given = (typeof value === 'object' && value ? value : malformed()) as T
    const copy: Partial<T> = {}
    for (const name of Object.keys(fields) as (keyof T)[]) {
      const field = fields[name](given[name])
      if (field !== undefined) copy[name] = field
    }
    return copy as T
  }
}

export function list<T>(read: Reader<T>, maxLength = Number.POSITIVE_INFINITY): Reader<T[]> {
  return (value) => {
    if (!Array.isArray(value) || value.length > maxLength) return malformed()
    return Array.from(value, read)
  }
}

export function text(maxChars: number): Reader<string> {
  return (value) => (typeof value === 'string' && value.length <= maxChars ? value : malformed())
}

/** The name of an element, as the server accepts it. */
export function tagName(value: unknown): string {
  const isName = typeof value === 'string' && /^[a-z][\w:.-]{0,99}$/i.test(value)
  return isName ? value : malformed()
}

export function finite(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : malformed()
}

export function ratio(value: unknown): number {
  const number = finite(value)
  return number >= 0 && number <= 1 ? number : malformed()
}

export function oneOf<T>(values: readonly T[]): Reader<T> {
  return (value) => (values.includes(value as T) ? (value as T) : malformed())
}

export function nullable<T>(read: Reader<T>): Reader<T | null> {
  return (value) => (value === null ? null : read(value))
}

export function optional<T>(read: Reader<T>): Reader<T | undefined> {
  return (value) => (value === undefined ? undefined : read(value))
}

export function malformed(): never {
  throw new TypeError('a malformed message')
}
