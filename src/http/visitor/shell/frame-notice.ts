import type { InlineScripts } from '../../kit/inline-scripts.ts'
import { notice, noticePolicy } from '../../kit/notice.ts'
import { buildResponse, documentResponse } from '../../kit/response.ts'
import { ownHostAnswerHeaders } from '../request/content-headers.ts'

export interface FrameNoticeDeps {
  scripts: InlineScripts
  baseUrl: string
}

/**
 * The notice in the frame of a shell for a path without a file. Its script reports the path to the
 * shell, which would otherwise assume that access has ended.
 */
export function createFrameNotice({ scripts, baseUrl }: FrameNoticeDeps) {
  const { host, origin } = new URL(baseUrl)

  return async (request: Request, isOwnHost: boolean): Promise<Response> => {
    const script = await scripts.text('shell.frame.js')
    const body = notice('not_found', { host, script })
    const policy = noticePolicy(script)
    if (!isOwnHost) {
      const csp = `${policy}; sandbox allow-scripts`
      return documentResponse(request, { status: 404, csp, body, isFramed: true })
    }
    const headers = new Headers({
      ...ownHostAnswerHeaders(policy, origin),
      'content-type': 'text/html; charset=utf-8',
    })
    return buildResponse(request, { status: 404, headers, body })
  }
}
export type ShowFrameNotice = ReturnType<typeof createFrameNotice>
