import { AmbientLight, Box3, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'

const { scene: model } = await new GLTFLoader().loadAsync('model/roof.gltf')
const scene = new Scene()
scene.add(model, new AmbientLight())
const size = new Box3().setFromObject(model).getSize(new Vector3())
const { map } = model.getObjectByProperty('isMesh', true).material
const app = document.getElementById('app')
app.textContent = `The roof is ${size.x} by ${size.y}; its texture is ${map.image.width} wide.`

const canvas = document.createElement('canvas')
const context = canvas.getContext('webgl2')
if (context !== null) {
  const camera = new PerspectiveCamera(50, 2, 0.1, 10)
  camera.position.z = 4
  const renderer = new WebGLRenderer({ canvas, context })
  renderer.render(scene, camera)
  app.append(canvas, ` ${renderer.info.render.triangles} triangles are drawn.`)
}
