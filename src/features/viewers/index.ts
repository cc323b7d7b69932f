export {
  createViewers,
  type ParticipantFacts,
  type ViewerIdentity,
  type Viewers,
} from './viewers.ts'
