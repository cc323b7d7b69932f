import type { createDrawing, PictureToDraw } from './draw.ts'

export function createLinkPictureTasks() {
  let drawing: Promise<ReturnType<typeof createDrawing>> | undefined
  return {
    /** The libraries take memory and time, so the first picture loads them. */
    async drawLinkPicture(input: PictureToDraw) {
      drawing ??= import('./draw.ts').then((module) => module.createDrawing())
      return (await drawing)(input)
    },
  }
}
