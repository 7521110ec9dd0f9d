import { Module } from '@nestjs/common';
import { McpController } from './mcp.controller.js';
import { MemoryEndpoint } from './memory-endpoint.js';

@Module({ controllers: [McpController], providers: [MemoryEndpoint] })
export class McpModule {}
