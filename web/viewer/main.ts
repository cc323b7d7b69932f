import { measureVisibleTime } from '../time/visible-time.ts'
import { hideBarsWhileReading } from './bars.ts'
import { elementById } from './dom.ts'
import { openImage } from './image.ts'
import { openPdf } from './pdf.ts'

const container = elementById('container', HTMLDivElement)
document.body.setAttribute('data-ready', '')
hideBarsWhileReading(container)
container.focus({ preventScroll: true })
const { time: token = '', stamp = '' } = document.body.dataset
const pageField = document.querySelector<HTMLInputElement>('#page')
measureVisibleTime({ origin: '', token, stamp, partNow: () => pageField?.value ?? '' })
if (document.body.dataset.kind === 'pdf') openPdf(container)
else openImage(container)
