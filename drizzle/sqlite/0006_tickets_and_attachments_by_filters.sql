DROP INDEX `attachments_message`;--> statement-breakpoint
CREATE INDEX `attachments_message` ON `attachments` (`tenant_id`,`message_id`,`id`);--> statement-breakpoint
CREATE INDEX `tickets_contact_inbox_status` ON `tickets` (`tenant_id`,`contact_id`,`inbox_id`,`status`,`id`);