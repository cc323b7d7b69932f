import './fragment.ts'

/**
 * The gate's page that waits for a mail to be confirmed. It opens the page by itself once another
 * tab of this browser has confirmed the address.
 */
const EVERY_MS = 4000
/** As long as the mail's link works. */
const AT_MOST_MS = 15 * 60_000

const statusPath = document.getElementById('waiting')!.dataset.status!
const startMs = Date.now()
let isAsking = false
let isLeaving = false

async function ask(): Promise<void> {
  if (isAsking || isLeaving || document.visibilityState !== 'visible') return
  isAsking = true
  const answer = await fetch(statusPath, { cache: 'no-store' }).catch(() => null)
  isAsking = false
  if (answer?.status === 204 && !isLeaving) location.reload()
}

const timer = setInterval(() => {
  if (Date.now() - startMs > AT_MOST_MS) clearInterval(timer)
  else void ask()
}, EVERY_MS)
document.addEventListener('visibilitychange', () => void ask())
// The code's answer opens the page. To open it here as well would be a second view of it.
document.addEventListener('submit', () => {
  isLeaving = true
})
