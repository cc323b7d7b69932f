import { post } from '../runtime/post.ts'
import type { Answer, Submission } from '../runtime/submission.ts'
import type { FrameMessage } from './frame-message.ts'

const MAX_CONCURRENT = 4
const BUSY: Answer = { status: 429, retry_after_s: 1, body: null }

/**
 * Sends the page's submissions to the server with the token of this visitor.
 * @param token never leaves the shell, so that the page cannot use it elsewhere
 */
export function createSubmissions(token: string) {
  let concurrent = 0

  async function send(submission: Submission): Promise<Answer> {
    if (concurrent >= MAX_CONCURRENT) return BUSY
    concurrent += 1
    const answer = await post('/~/responses', token, submission)
    concurrent -= 1
    return answer
  }
  return {
    async forward(submission: Submission, answerPort: MessagePort | undefined): Promise<void> {
      const answer = await send(submission)
      answerPort?.postMessage({ type: 'answer', ...answer } satisfies FrameMessage)
    },
  }
}
