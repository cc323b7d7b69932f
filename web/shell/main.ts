import { percentDecoded } from '../../src/model/page-name.ts'
import { post } from '../runtime/post.ts'
import type { Answer, Submission } from '../runtime/submission.ts'
import { measureVisibleTime } from '../time/visible-time.ts'
import { syncAddress, type WithFilesUrl, wantedPath } from './address.ts'
import { offerBridge } from './bridge.ts'
import { createFindFile, type FindFile } from './find-file.ts'
import { createFrame, reloadOnce } from './frame.ts'
import type { FrameMessage } from './frame-message.ts'
import { openPageStorage } from './page-storage.ts'

const MAX_HEIGHT_PX = 200_000

/** The width that phones assume for a page that declares none. */
const UNSAID = 'width=980'

const MAX_CONCURRENT = 4
const BUSY: Answer = { status: 429, retry_after_s: 1, body: null }
let submitting = 0

/** What the server's markup says of this page: `document.ts` of the shell writes it. */
const {
  files: filesUrl = '',
  page: pagePath = '',
  /** Where new addresses of its files are; '' where one address serves all documents. */
  renewal: renewalUrl = '',
  only: onlyPath = '',
  paths: pathList = '',
  key = '',
  origin = '',
  token = '',
  time = '',
  stamp: sourceToken = '',
} = document.body.dataset

/** Of one file. On a host of its own its address may have a route instead, of the page's script. */
const fixedPath = origin === 'null' || renewalUrl !== '' ? onlyPath : ''

/**
 * Gives an address of the page's files for the next document. Where the page has a view limit, the
 * server gives a document once for each address, so that each document needs a new one.
 */
const withFilesUrl: WithFilesUrl = (use) => {
  if (renewalUrl === '') use(filesUrl)
  else void fetchFilesUrl().then((url) => (url === null ? reloadOnce() : use(url)))
}

async function fetchFilesUrl(): Promise<string | null> {
  try {
    const response = await fetch(renewalUrl, { cache: 'no-store' })
    if (!response.ok) return null
    const { files } = (await response.json()) as { files?: unknown }
    return typeof files === 'string' ? files : null
  } catch {
    return null
  }
}

async function start(): Promise<void> {
  const paths = pathList === '' ? [] : pathList.split('\n')
  let path = wantedPath(pagePath, fixedPath)
  const storage = openPageStorage(key)
  const entries = storage.read()
  const frame = createFrame({
    src: filesUrl + path,
    origin,
    // Without `await` where it can be: the frame then loads in the same task.
    entries: entries instanceof Promise ? await entries : entries,
    paths,
  })
  const address = syncAddress({ pagePath, onlyPath, fixedPath, withFilesUrl, frame })
  offerBridge(frame)
  const partNow = () => percentDecoded(path) ?? ''
  measureVisibleTime({ origin: '', token: time, sourceToken, partNow })
  frame.onMessage((message, answerPort) => {
    switch (message.type) {
      case 'location':
        path = message.path
        return address.update(message.path, message.title)
      case 'navigate':
        return address.navigate(message.path)
      case 'traverse':
        return history.go(message.delta)
      case 'storage':
      case 'storage-clear':
        return storage.apply(message)
      case 'viewport':
        return setViewport(message.content)
      case 'height':
        return setPrintHeight(message.pixels)
      case 'renew':
        return withFilesUrl((url) => answerPort?.postMessage({ type: 'files', url }))
      case 'submit':
        return void submit(message.submission, answerPort)
    }
  })
  storage.onChangeElsewhere(frame.post)
  watchBlockedNavigation(createFindFile(paths), address.follow)
}

void start()

/**
 * Shows the file that a script of the page went to by an address at the root of this host. In a
 * sandbox no browser asks the page's document first: the policy of this document blocks the frame,
 * and the browser reports the address, without its hash.
 *
 * @param follow called with a path below the page's files. There may be no such file: the server
 * then says so in the frame, where the browser would say that something is blocked
 */
function watchBlockedNavigation(findFile: FindFile, follow: (path: string) => void): void {
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    const url = URL.parse(blockedURI)
    if (effectiveDirective !== 'frame-src' || url?.origin !== location.origin) return
    follow(findFile(url) ?? url.pathname.slice(1) + url.search)
  })
}

/** For printing, the frame is as high as its content: the shell then prints the page whole. */
function setPrintHeight(height: number): void {
  const pixels = Math.min(Math.max(Math.ceil(height), 0), MAX_HEIGHT_PX)
  document.documentElement.style.setProperty('--page-height', `${pixels}px`)
}

/**
 * Gives this window the viewport of the page in it, so that phones lay the page out as they would
 * without a frame. A window that also has controls of ours keeps its own: they must stay readable.
 */
function setViewport(content: string): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=viewport][data-follows-page]')
  if (meta !== null) meta.content = content || UNSAID
}

/**
 * Sends a submission of the page to the server with the token of this visitor, which never leaves
 * the shell, so that the page cannot use it elsewhere.
 */
async function submit(submission: Submission, answerPort: MessagePort | undefined): Promise<void> {
  let answer = BUSY
  if (submitting < MAX_CONCURRENT) {
    submitting += 1
    answer = await post('/~/responses', token, submission)
    submitting -= 1
  }
  answerPort?.postMessage({ type: 'answer', ...answer } satisfies FrameMessage)
}
