import { measureVisibleTime } from '../time/visible-time.ts'
import { syncAddress, wantedPath } from './address.ts'
import { watchBlockedNavigation } from './blocked-navigation.ts'
import { offerBridge } from './bridge.ts'
import { createFilesUrl } from './files-url.ts'
import { createFindFile } from './find-file.ts'
import { createFrame, reloadOnce } from './frame.ts'
import { openPageStorage } from './page-storage.ts'
import { setPrintHeight } from './print-height.ts'
import { createSubmissions } from './submissions.ts'
import { createViewport } from './viewport.ts'

/** What the server's markup says of this page: `document.ts` of the shell writes it. */
const {
  files: filesUrl = '',
  page: pagePath = '',
  renewal: renewalUrl = '',
  only: onlyPath = '',
  paths: pathList = '',
  key = '',
  origin = '',
  token = '',
  time = '',
  stamp = '',
} = document.body.dataset

async function start(): Promise<void> {
  const paths = pathList === '' ? [] : pathList.split('\n')
  const storage = openPageStorage(key)
  const entries = storage.read()
  const frame = createFrame({
    src: filesUrl + wantedPath(pagePath, onlyPath),
    origin,
    // Without `await` where it can be: the frame then loads in the same task.
    entries: entries instanceof Promise ? await entries : entries,
    paths,
  })
  const withFilesUrl = createFilesUrl({ filesUrl, renewalUrl, onVisitEnded: reloadOnce })
  const address = syncAddress({ pagePath, onlyPath, withFilesUrl, frame })
  const submissions = createSubmissions(token)
  const toPanel = offerBridge(frame, wantedPath(pagePath, onlyPath))
  const setViewport = createViewport()
  let path = wantedPath(pagePath, onlyPath)
  measureVisibleTime({ origin: '', token: time, stamp, partNow: () => decoded(path) })
  frame.onMessage((message, answerPort) => {
    toPanel(message)
    switch (message.type) {
      case 'location':
        path = message.path
        return address.update(message.path, message.title)
      case 'navigate':
        return address.navigate(message.path)
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
        return void submissions.forward(message.submission, answerPort)
    }
  })
  storage.onChangeElsewhere(frame.post)
  watchBlockedNavigation(createFindFile(paths), address.follow)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return ''
  }
}

void start()
