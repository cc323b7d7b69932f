import { stepBack } from './bars.ts'
import { part } from './dom.ts'
import { openImage } from './image.ts'
import { openPdf } from './pdf.ts'

const container = part('container', HTMLDivElement)
document.body.setAttribute('data-ready', '')
stepBack(container)
container.focus({ preventScroll: true })
if (document.body.dataset.kind === 'pdf') openPdf(container)
else openImage(container)
