/** The parts of an OpenAPI 3.0 document that are built and corrected here. */
export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string } & Record<string, unknown>
  servers: { url: string; description?: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    headers: Record<string, object>
    responses: Record<string, Answer>
    securitySchemes: Record<string, object>
  }
  security: Record<string, never[]>[]
}

export interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  'x-scope': string
  parameters: (Parameter | Reference)[]
  requestBody?: { required: boolean; description?: string; content: Record<string, Media> }
  responses: Record<string, Answer | Reference>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  example?: unknown
  schema: Schema
}

export interface Answer {
  description: string
  headers?: Record<string, Reference>
  content?: Record<string, Media>
}

export interface Media {
  schema: Schema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
}

/** A JSON Schema as OpenAPI 3.0 has it. */
export type Schema = Record<string, unknown>

export interface Reference {
  $ref: string
}

export const reference = (kind: keyof OpenApiDocument['components'], name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
})
