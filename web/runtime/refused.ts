/** Why something was not sent; `code` is for programs and the message for people. */
export type Refused = Error & { code: string }

export function refused(code: string, message: string): Refused {
  return Object.assign(new Error(message), { code })
}

export const UNREACHABLE =
  'This could not be sent. Check the connection, reload the page and send again.'
