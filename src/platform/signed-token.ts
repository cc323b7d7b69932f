import { type Secrets, sameText } from './secrets.ts'

/*
 * The three forms of tokens in cookies and addresses. Each has a purpose, and a subject that the
 * reader names: a token of another purpose or subject does not hold. The bytes of tokens that are
 * in use never change.
 */

/**
 * A sealed token, whose content its holder cannot read.
 *
 * @param endsMs when a content expires, in milliseconds since the epoch
 */
export function sealedToken<Content>(
  secrets: Secrets,
  purpose: string,
  endsMs: (content: Content) => number = () => Infinity,
) {
  return {
    make: (subject: string, content: Content): string =>
      secrets.seal(purpose, subject, JSON.stringify(content)),
    /** @returns null for a token that is not ours, or has expired */
    read(subject: string, token: string | null, nowMs: number): Content | null {
      if (token === null) return null
      const text = secrets.openOrNull(purpose, subject, token)
      if (text === null) return null
      const content = JSON.parse(text) as Content
      return endsMs(content) > nowMs ? content : null
    },
  }
}

interface SignedOptions {
  /** Whether the payload is signed also where there is none. */
  hasPayload: boolean
}

/** A signed token that expires: `v1.{seconds since the epoch}.{payload}.{signature}`. */
export function expiringToken(secrets: Secrets, purpose: string, { hasPayload }: SignedOptions) {
  const partsOf = (subject: readonly string[], expires: string, payload: string) =>
    hasPayload ? [...subject, expires, payload] : [...subject, expires]

  return {
    make(subject: readonly string[], expiresS: number, payload = ''): string {
      const signature = secrets.sign(purpose, ...partsOf(subject, String(expiresS), payload))
      return ['v1', expiresS, ...(payload === '' ? [] : [payload]), signature].join('.')
    },
    /** @returns null for a token that is not ours, or has expired */
    read(subject: readonly string[], token: string, nowMs: number) {
      const [version, expires = '', ...rest] = token.split('.')
      const signature = rest.pop() ?? ''
      const payload = rest.join('.')
      const expiresS = Number(expires)
      if (version !== 'v1' || !Number.isInteger(expiresS) || expiresS * 1000 <= nowMs) return null
      // Refuses an empty payload, whose signature would equal that of no payload.
      if (rest.length > 0 && (payload === '' || !hasPayload)) return null
      const isOurs = secrets.verify(signature, purpose, ...partsOf(subject, expires, payload))
      return isOurs ? { expiresS, payload } : null
    },
  }
}

/** A text that anybody can read and only we can make: `{text}.{signature}`. */
export function signedText(secrets: Secrets, purpose: string, signatureChars = 43) {
  const sign = (subject: readonly string[], text: string) =>
    secrets.sign(purpose, ...subject, text).slice(0, signatureChars)

  return {
    make: (subject: readonly string[], text: string) => `${text}.${sign(subject, text)}`,
    /** @returns the text; null for a token that is not ours */
    read(subject: readonly string[], token: string): string | null {
      const dot = token.lastIndexOf('.')
      const text = token.slice(0, Math.max(dot, 0))
      return sameText(token.slice(dot + 1), sign(subject, text)) ? text : null
    },
  }
}

export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000)
}
