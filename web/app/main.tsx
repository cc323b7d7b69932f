import { hydrateRoot } from 'preact/compat/client'
import { restoreFocus } from '../restore-focus.ts'
import { queryClient } from './api.ts'
import { Root } from './app.tsx'
import { readBoot } from './boot.ts'
import { Screens } from './screens.tsx'
import { guardHistory } from './unsent.ts'

guardHistory()
const boot = readBoot()
queryClient.setQueryData(['account'], boot.account)
hydrateRoot(
  document.getElementById('root')!,
  <Root boot={boot} client={queryClient} Screens={Screens} />,
)

// Browsers leave a link of a strip that scrolls where it is if some of it shows.
document.addEventListener('focusin', ({ target }) => {
  const focused = target as HTMLElement
  if (!focused.matches(':is(a, button):focus-visible')) return
  focused.scrollIntoView({ block: 'nearest', inline: 'nearest' })
})
restoreFocus(document.body, 'main h1')

let pressed: Element | null = null
let pressedWords: string | undefined

/** The second press of a double click is not for what the first one has put in that place. */
function ignoreSecondPress(event: MouseEvent): void {
  const control = (event.target as Element).closest('a, button')
  const words = control?.textContent
  if (event.detail > 1 && (control !== pressed || words !== pressedWords)) {
    event.preventDefault()
    event.stopPropagation()
    return
  }
  pressed = control
  pressedWords = words
}
document.addEventListener('click', ignoreSecondPress, true)
