import { post } from './post.ts'
import { type Answer, type Send, SHELL_SEND } from './submission.ts'

/** Longer than the shell's own timeout, so that the shell's answer always arrives first. */
const TIMEOUT_MS = 40_000

/** For a page that is open on its own: its script carries the viewer's token. */
export function directTransport(script: HTMLScriptElement, token: string): Send {
  // `script.src` would depend on the page's <base>; the attribute does not.
  const { origin } = new URL(script.getAttribute('src') ?? '', location.href)
  return (submission) => post(`${origin}/~/responses`, token, submission)
}

/** For a framed page: the shell holds the viewer's token, and the page never sees it. */
export function shellTransport(): Send {
  const send = (window as { [SHELL_SEND]?: Send })[SHELL_SEND]
  if (send === undefined) return async () => NO_SHELL
  return (submission) => Promise.race([send(submission), timeout()])
}

/** For a preview: its owner tries the form, and nothing is stored. */
export async function noTransport(): Promise<Answer> {
  return PREVIEW
}

function timeout(): Promise<Answer> {
  const noAnswer = { status: 0, retry_after_s: null, body: null }
  return new Promise((resolve) => setTimeout(() => resolve(noAnswer), TIMEOUT_MS))
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

const PREVIEW: Answer = {
  status: 403,
  retry_after_s: null,
  body: {
    error: { code: 'preview', message: 'This is a preview: nothing is sent, and nothing stored.' },
  },
}
