/** Why a submission failed: `code` is for programs, the message for people. */
export type SubmitError = Error & { code: string }

export function submitError(code: string, message: string): SubmitError {
  return Object.assign(new Error(message), { code })
}

export const UNREACHABLE = 'This could not be sent. Check the connection and send again.'

/** For a form, whose submission goes on waiting. */
export const UNANSWERED =
  'This is not sent yet. It is kept while the page stays open, and sent once there is a connection.'
