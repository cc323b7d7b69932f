/** Why a submission failed: `code` is for programs, the message for people. */
export type SubmitError = Error & { code: string }

export function submitError(code: string, message: string): SubmitError {
  return Object.assign(new Error(message), { code })
}

export const UNREACHABLE =
  'This could not be sent. Check the connection, reload the page and send again.'
