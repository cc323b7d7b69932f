import { post } from './post.ts'
import { type Answer, SEND, type Send } from './submission.ts'

/** Longer than the shell waits for the server, so that its answer is never cut off. */
const TIMEOUT_MS = 40_000

/** For a page that is open by itself: its script carries the token. */
export function directTransport(script: HTMLScriptElement, token: string): Send {
  // As the parser read it: the page's <base> comes later and has no say.
  const { origin } = new URL(script.getAttribute('src') ?? '', location.href)
  return (submission) => post(`${origin}/~/responses`, token, submission)
}

/** For a framed page: the shell has the token, and the page never sees it. */
export function shellTransport(): Send {
  const offered = (window as { [SEND]?: Send })[SEND]
  if (offered === undefined) return async () => NO_SHELL
  return (submission) => Promise.race([offered(submission), timedOut()])
}

function timedOut(): Promise<Answer> {
  const none = { status: 0, retry_after_s: null, body: null }
  return new Promise((resolve) => setTimeout(() => resolve(none), TIMEOUT_MS))
}

const NO_SHELL: Answer = {
  status: 400,
  retry_after_s: null,
  body: {
    error: {
      code: 'failed',
      message: 'This page cannot send from here. Open it by its link and send again.',
    },
  },
}
