CREATE INDEX `forms_trashed` ON `forms` (`tenant_id`,`id`) WHERE trashed_at IS NOT NULL;--> statement-breakpoint
CREATE INDEX `responses_of_tenant` ON `responses` (`tenant_id`,`status`,`id`,`form_id`);--> statement-breakpoint
CREATE INDEX `responses_changed_of_tenant` ON `responses` (`tenant_id`,`updated_at`,`id`);