import { guardKeys, guardPointers } from '../../../web/pointer-guard.ts'

/**
 * The first script of each document of ours in which a press does something. It is part of the
 * document, so that nothing can be pressed before it runs.
 */
export const POINTER_GUARD = `(${guardPointers})(window);(${guardKeys})(window)`
