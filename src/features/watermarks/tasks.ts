import { loadOnce } from '../../platform/load-once.ts'
import type { FileToMark, MarkedFile } from './index.ts'

export function createWatermarkTasks() {
  const loadMarking = loadOnce(async () => (await import('./mark.ts')).createMarking())
  return {
    /** The libraries take memory and time, so the first file loads them. */
    markFile: async (file: FileToMark): Promise<MarkedFile> => (await loadMarking())(file),
  }
}
