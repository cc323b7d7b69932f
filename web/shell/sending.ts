import { post } from '../runtime/post.ts'
import type { Answer, Submission } from '../runtime/submission.ts'

const MOST_AT_ONCE = 4
const BUSY: Answer = { status: 429, retry_after_s: 1, body: null }

/** Sends what the page's forms collect, in the name of who looks at it. */
export function createSending(token: string) {
  let underWay = 0
  return {
    async told(submission: Submission, answers: MessagePort | undefined): Promise<void> {
      if (underWay >= MOST_AT_ONCE) {
        answers?.postMessage(BUSY)
        return
      }
      underWay += 1
      const answer = await post('/~/responses', token, knownOf(submission))
      underWay -= 1
      answers?.postMessage(answer)
    },
  }
}

function knownOf({ stamp, id, data, name, controls, trap }: Submission): Submission {
  const told = controls.map(({ name, label, kind }) => ({ name, label, kind }))
  return { stamp, id, data, controls: told, ...(name && { name }), ...(trap && { trap }) }
}
