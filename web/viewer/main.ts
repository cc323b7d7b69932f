import { hideBarsWhileReading } from './bars.ts'
import { elementById } from './dom.ts'
import { openImage } from './image.ts'
import { openPdf } from './pdf.ts'

const container = elementById('container', HTMLDivElement)
document.body.setAttribute('data-ready', '')
hideBarsWhileReading(container)
container.focus({ preventScroll: true })
if (document.body.dataset.kind === 'pdf') openPdf(container)
else openImage(container)
