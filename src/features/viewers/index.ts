export { createViewers, type ViewerIdentity, type Viewers } from './viewers.ts'
