CREATE TABLE "chat_uploads" (
	"tenant_id" text COLLATE "C" NOT NULL,
	"id" text COLLATE "C" NOT NULL,
	"visitor_id" text COLLATE "C" NOT NULL,
	"file_name" text COLLATE "C" NOT NULL,
	"content_type" text COLLATE "C" NOT NULL,
	"size" bigint NOT NULL,
	"sender_hash" text COLLATE "C" NOT NULL,
	"sha256" text COLLATE "C" NOT NULL,
	"created_at" text COLLATE "C" NOT NULL,
	CONSTRAINT "chat_uploads_tenant_id_id_pk" PRIMARY KEY("tenant_id","id")
);

--> statement-breakpoint
ALTER TABLE "chat_uploads" ADD CONSTRAINT "chat_uploads_tenant_id_tenants_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenants"("id") ON DELETE no action ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "chat_uploads" ADD CONSTRAINT "chat_uploads_tenant_id_visitor_id_visitors_tenant_id_id_fk" FOREIGN KEY ("tenant_id","visitor_id") REFERENCES "public"."visitors"("tenant_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "chat_uploads_visitor" ON "chat_uploads" USING btree ("tenant_id","visitor_id");
--> statement-breakpoint
CREATE INDEX "chat_uploads_sender" ON "chat_uploads" USING btree ("sender_hash","size","created_at");
--> statement-breakpoint
CREATE INDEX "chat_uploads_old" ON "chat_uploads" USING btree ("created_at");
