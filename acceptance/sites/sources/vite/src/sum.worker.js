import { add } from './add.js'

addEventListener('message', ({ data }) => postMessage(data.reduce(add)))
