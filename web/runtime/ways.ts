import { post } from './post.ts'
import { type Answer, SEND, type Send } from './submission.ts'

/** Longer than the shell waits itself. */
const PATIENCE_MS = 40_000

export function directly(script: HTMLScriptElement, token: string): Send {
  // As the parser read it: the page's <base> comes later and has no say.
  const { origin } = new URL(script.getAttribute('src') ?? '', location.href)
  return (submission) => post(`${origin}/~/responses`, token, submission)
}

/** The shell has the token, and a framed page never sees it. */
export function throughShell(): Send {
  const offered = (window as { [SEND]?: Send })[SEND]
  if (offered === undefined) return async () => NOWHERE
  return (submission) => Promise.race([offered(submission), silence()])
}

function silence(): Promise<Answer> {
  const none = { status: 0, retry_after_s: null, body: null }
  return new Promise((resolve) => setTimeout(() => resolve(none), PATIENCE_MS))
}

const NOWHERE: Answer = {
  status: 400,
  retry_after_s: null,
  body: {
    error: {
      code: 'failed',
      message: 'This page cannot send from here. Open it by its link and send again.',
    },
  },
}
